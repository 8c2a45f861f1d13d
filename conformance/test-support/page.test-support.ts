/** A page as a browser reads it. */
import { createHash } from "node:crypto";
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { expect } from "vitest";

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** The page that was read last: a test asks it for one thing after the other. */
let last: { readonly page: string; readonly elements: Element[] } | undefined;

/** All elements of a page, in their order. */
export function elementsOf(page: string): Element[] {
  if (last?.page !== page) last = { page, elements: readElements(page) };
  return last.elements;
}

function readElements(page: string): Element[] {
  const found: Element[] = [];
  const visit = (node: Node) => {
    if ("tagName" in node) found.push(node);
    if ("childNodes" in node) node.childNodes.forEach(visit);
  };
  visit(parse(page));
  return found;
}

export const attribute = ({ attrs }: Element, name: string) => attrs.find((one) => one.name === name)?.value;

export function textIn(node: Node): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textIn).join("") : "";
}

/** The visible text of a page, without its style and script. */
export function wordsOf(page: string): string {
  const [body] = elementsOf(page).filter(({ tagName }) => tagName === "body");
  const visit = (node: Node): string => {
    if ("tagName" in node && node.tagName === "script") return "";
    if ("value" in node) return node.value;
    return "childNodes" in node ? node.childNodes.map(visit).join(" ") : "";
  };
  return body === undefined ? "" : visit(body);
}

/** Fails where anything in the page could act, load or be shown that is not the kit's own. */
export function expectHarmless(page: string): void {
  const elements = elementsOf(page);
  const of = (name: string) => elements.filter(({ tagName }) => tagName === name);
  const active = [
    "iframe",
    "img",
    "object",
    "embed",
    "link",
    "base",
    "audio",
    "video",
    "use",
    "image",
    "foreignObject",
  ];
  expect(active.flatMap(of)).toEqual([]);
  expect([of("script").length, of("style").length, of("meta").length]).toEqual([1, 1, 5]);
  const [policy = ""] = of("meta").flatMap((meta) =>
    attribute(meta, "http-equiv") === "Content-Security-Policy" ? [attribute(meta, "content") ?? ""] : [],
  );
  const hash = (name: string) => createHash("sha256").update(of(name).map(textIn).join("")).digest("base64");
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${hash("style")}'; script-src 'sha256-${hash("script")}'; base-uri 'none'; form-action 'none'`,
  );
  const names = new Set(elements.flatMap(({ attrs }) => attrs.map(({ name }) => name)));
  expect(
    [...names].filter((name) => name.startsWith("on") || ["style", "src", "srcset", "action"].includes(name)),
  ).toEqual([]);
  const links = elements.flatMap((element) => attribute(element, "href") ?? []);
  expect(links.filter((link) => !/^(#|https?:\/\/)/.test(link))).toEqual([]);
  const ids = elements.flatMap((element) => attribute(element, "id") ?? []);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const inside = new Set(ids);
  expect(links.filter((link) => link.startsWith("#") && !inside.has(link.slice(1)))).toEqual([]);
  // oxlint-disable-next-line no-control-regex
  expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
}
