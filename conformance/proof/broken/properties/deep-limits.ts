/** Limits that go wrong after a history of keys, refusals and aborts: no single request shows it. */
import { add, IN_FLIGHT, limiting, slotsOf } from "../../limit-books.ts";
import { failing, type Subject } from "../../subject.ts";

const pathIn = (key: string) => key.split(" ")[0];
const addressIn = (key: string) => key.split(" ")[1];

export const deepLimits: readonly Subject[] = failing("PROPERTY-LIMITS", limiting, {
  "A client that opens its window makes those of the path's other clients begin anew": () => ({
    opens: (key, { windows }) => {
      for (const other of windows.keys()) if (other !== key && pathIn(other) === pathIn(key)) windows.delete(other);
    },
  }),
  "The slot of every third request of a key that is broken off within its body stays taken": () => {
    const aborts = new Map<string, number>();
    return {
      read: (outcome, key, books) => {
        if (outcome !== "aborted") return;
        const count = (aborts.get(key) ?? 0) + 1;
        aborts.set(key, count);
        if (count % 3 === 0) add(books, key, 1);
      },
    };
  },
  "A request that is broken off gives its slot back twice: by its body and by its connection": () => ({
    read: (outcome, key, books) => {
      if (outcome === "aborted") add(books, key, -1);
    },
  }),
  "A client with eight requests in flight at one path finds no slot at any other": () => ({
    isFull: (key, { slots }) =>
      [...slots].some(([other, count]) => count >= IN_FLIGHT && addressIn(other) === addressIn(key)),
  }),
  "The rate limit tells addresses apart by their first three bytes only": () => ({
    windowKey: (key) => key.replace(/\.\d+$/, ""),
  }),
  "Window and slots of a key are kept together, and dropped together when its last request is broken off": () => ({
    read: (outcome, key, books) => {
      if (outcome === "aborted" && slotsOf(books, key) === 0) books.windows.delete(key);
    },
  }),
  "Of bodies that ran out of time only a key's first gives its slot back": () => {
    const before = new Set<string>();
    return {
      read: (outcome, key, books) => {
        if (outcome === "timeout" && before.has(key)) add(books, key, 1);
        if (outcome === "timeout") before.add(key);
      },
    };
  },
});
