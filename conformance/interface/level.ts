/** How binding a clause is, and so a case that judges it. */

/** `must`: the interface states it. `should`: a failure only warns. `gap`: judged only where the profile binds it. */
export type Level = "must" | "should" | "gap";
