const visibleAscii = /^\/[\x21-\x7e]*$/;

/**
 * The form in which paths are compared: dot segments resolved, percent-encoding decoded, repeated slashes collapsed, no
 * trailing slash, lower case. A gateway may match more loosely than "exact", and `replaceExisting` would then let one
 * route take another's requests; so paths that some gateway could confuse count as one. Undefined: no usable path.
 */
export function canonicalPath(path: string): string | undefined {
  if (!visibleAscii.test(path) || /[?#\\]/.test(path)) return undefined;
  try {
    const decoded = decodeURIComponent(path).replace(/\/+/g, "/");
    if (/[\0-\x20\x7f?#\\]/.test(decoded)) return undefined;
    const resolved = new URL(decoded, "http://gateway").pathname;
    return resolved.replace(/(.)\/$/, "$1").toLowerCase();
  } catch {
    return undefined;
  }
}
