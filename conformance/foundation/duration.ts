/** A duration in words: `12 s`, `6 minutes`. */
export function durationInWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
}
