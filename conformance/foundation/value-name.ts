/** Names of the values of factors and fields: what a report shows, and what `--row` takes. */

/** No whole number: as the name of a property it would come before all others, and the first value is the usual one. */
const SHORT_AND_PLAIN = /^(?!\d+$)[ -~]{1,24}$/;

/** The text of a value in the request, such as `""`, where it is short; else its description. */
const valueName = (text: string, description: string): string => (SHORT_AND_PLAIN.test(text) ? text : description);

/** The same values by their names. `textOf`: how a value is written in the request, by default as JSON. */
export const namedValues = <T>(
  described: Readonly<Record<string, T>>,
  textOf = (value: T): string => JSON.stringify(value),
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(described).map(([what, value]) => [valueName(textOf(value), what), value]));

/** For values that are the text that is sent. */
export const asSent = (text: string): string => text;
