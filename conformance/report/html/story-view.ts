/** A story: the picture, and the same in words, which can be copied. */
import type { ReportedStory } from "../report.ts";
import { storyText } from "../story-text.ts";
import { firstOf } from "./cut.ts";
import { html } from "./markup.ts";
import { sequencePicture } from "./sequence-picture.ts";

const SHOWN = 200;

export function storyView(story: ReportedStory, anchor: string) {
  const { shown, more } = firstOf(storyText(story), SHOWN);
  const text = shown.join("\n") + (more > 0 ? `\nand ${more} more lines` : "");
  return html`<h3>The story: ${story.requests} ${story.requests === 1 ? "request" : "requests"}</h3>
    ${sequencePicture(story)}
    <pre id=${anchor}>${text}</pre>`;
}
