/** JSON with a line for each field, also where its end is cut off; any other text as it is. */
const DEEPEST = 8;

export function indented(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  const lines: string[] = [];
  let [line, depth] = ["", 0];
  // Strings whole; brackets with nothing in them; single signs; and what is between.
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"?|\{\s*\}|\[\s*\]|[{}[\],:]|[^"{}[\],:]+/gs)) {
    const isShallow = depth <= DEEPEST;
    if (/^[}\]]$/.test(token)) {
      if (depth <= DEEPEST) {
        lines.push(line);
        line = "  ".repeat(Math.max(0, depth - 1));
      }
      depth -= 1;
    }
    line += token === ":" ? ": " : token.startsWith('"') ? token : token.trim();
    if (/^[{[]$/.test(token)) depth += 1;
    if (/^[{[,]$/.test(token) && depth <= DEEPEST && isShallow) {
      lines.push(line);
      line = "  ".repeat(Math.max(0, depth));
    }
  }
  return [...lines, line].filter((one) => one.trim() !== "").join("\n");
}
