/** For sorting: by the first of these keys in which two values differ; the lower one comes first, and what is not before what is. */
export const by =
  <T>(...keys: readonly ((value: T) => number | boolean)[]) =>
  (a: T, b: T): number => {
    for (const key of keys) {
      const difference = Number(key(a)) - Number(key(b));
      if (difference !== 0) return difference;
    }
    return 0;
  };
