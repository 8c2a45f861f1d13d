/** `npm run test:nightly` runs this file, with all that `npm test` tries only a part of. */
export const isNight = process.env["NIGHTLY"] === "1";
