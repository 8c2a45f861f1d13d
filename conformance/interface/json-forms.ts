/** RFC 8259 in examples of each rule: other spellings of what is JSON, and what is one step beside it. */
import { asSent, namedValues } from "../foundation/value-name.ts";

/** Makes something of the JSON text of an object with two members or more. */
type Spelling = (object: string) => string;

const replaced =
  (what: string | RegExp, by: string): Spelling =>
  (object) =>
    object.replace(what, by);

/** Objects that are no JSON, wherever they stand. */
export const brokenObjects: Readonly<Record<string, Spelling>> = {
  "a comment": replaced("{", "{/* note */"),
  "a comment to the end of its line": replaced("{", "{\n// note\n"),
  "a comment behind a hash sign": replaced("{", "{\n# note\n"),
  "single quotes": (object) => object.replaceAll('"', "'"),
  "a name without quotes": replaced(/"(\w+)":/, "$1:"),
  "a comma behind the last member": replaced(/\}$/, ",}"),
  "a comma before the first member": replaced("{", "{,"),
  "two commas": replaced(",", ",,"),
  "a blank for a comma": replaced(",", " "),
  "a semicolon for a comma": replaced(",", ";"),
  "an equals sign for a colon": replaced(":", "="),
  "a no-break space": replaced(":", ":\u00a0"),
  "a form feed": replaced(":", ":\f"),
  "one bracket too many": (object) => `${object}}`,
};

export const brokenValues = namedValues(
  {
    NaN: "NaN",
    Infinity: "Infinity",
    "minus Infinity": "-Infinity",
    undefined: "undefined",
    "true in capitals": "True",
    "true cut short": "tru",
    "a leading zero": "01",
    "a plus sign": "+1",
    "hex digits": "0x1F",
    "a point before the digits": ".5",
    "a point behind the digits": "1.",
    "signs between digits": "1_000",
    "a line break in a text": '"two\nlines"',
    "a tab in a text": '"a\ttab"',
    "an unknown escape": String.raw`"\x41"`,
    "an escaped single quote": String.raw`"\'"`,
    "an escape cut short": String.raw`"\u12"`,
    "a comma behind the last item": "[1,]",
    "an empty place in a list": "[1,,2]",
  },
  asSent,
);

/** Values that are JSON, spelled as few writers do. */
export const otherValues = namedValues(
  {
    "every escape": String.raw`"a\/b\b\f\n\r\t\"\\"`,
    "escapes with capitals and without, and of a pair of surrogates": String.raw`"\u00E9\u00e9\ud83d\ude80"`,
    "a character that needs no escape": '"\u007f\u2028"',
    "an exponent with a sign": "[1E+2,25e-1,0.5e0]",
    "white space of each kind": '[ 1\t,\r\n{ "a" : 2 } ]',
  },
  asSent,
);

/**
 * What a reader may refuse, but does not take as something else: numbers that doubles hold, come near or do not reach
 * (RFC 8259, 6), values nested deeply (9), and names that mean something to a language or a mapper of objects.
 */
export const refusableValues = namedValues(
  {
    "numbers of 16 to 19 digits": "[9007199254740993,-12345678901234567,1234567890123456789]",
    "numbers of 20 to 23 digits": "[18446744073709551616,123456789012345678901,12345678901234567890123]",
    "fractions of 17 digits": "[0.30000000000000004,-123456.78901234567,3.141592653589793]",
    "numbers with exponents, and minus zero": "[1e21,1.5E-7,2.2250738585072014e-308,1.7976931348623157e+308,-0]",
    "numbers beyond all doubles, in a list": "[[1e999],-1e400]",
    "lists 30 deep": `${"[".repeat(30)}1${"]".repeat(30)}`,
    // Not `__proto__`: careful readers leave that out.
    "names of members of every object": '{"constructor":{"prototype":{"b":2}},"toString":"c","length":4}',
    "names of types and references": '{"$type":"T","$ref":"#","$id":"1","@class":"C","@type":"D","":{"$oid":"0"}}',
  },
  asSent,
);
