/** JSON with a line for each field; any other text as it is, also JSON whose end is cut off. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
