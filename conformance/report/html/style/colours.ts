/** Colours as variables, light and dark. Each text colour has a contrast of at least 4.5 to each ground that it stands on. */
const outcomes = ["pass", "fail", "warn", "known", "unreached", "error", "not-applicable"]
  .map((name) => `.o-${name}{--ink:var(--${name});--ground:var(--${name}-ground);--bar:var(--${name}-bar)}`)
  .join("");

export const colours = `:root{color-scheme:light dark;
--page:#fff;--text:#1c2128;--quiet:#555e69;--line:#d4dae1;--card:#f6f8fa;--link:#0b57b0;--focus:#0b57b0;
--pass:#146c2e;--pass-ground:#e3f4e8;--pass-bar:#3fa45b;
--fail:#a81c1c;--fail-ground:#fde9e7;--fail-bar:#d1382f;
--warn:#7c4a03;--warn-ground:#fff1d2;--warn-bar:#e39b1d;
--known:#5b3a9b;--known-ground:#f0eafc;--known-bar:#9473d6;
--unreached:#4a5663;--unreached-ground:#e7ebef;--unreached-bar:#8793a0;
--error:#8c1860;--error-ground:#fbe6f2;--error-bar:#bf3f8c;
--not-applicable:#555e69;--not-applicable-ground:#f0f2f5;--not-applicable-bar:#cdd4db}
@media (prefers-color-scheme:dark){:root{
--page:#11151a;--text:#e4e8ed;--quiet:#a3adb8;--line:#353d47;--card:#191f26;--link:#86b9ff;--focus:#86b9ff;
--pass:#7fd896;--pass-ground:#14301d;--pass-bar:#3d9a58;
--fail:#ff9d94;--fail-ground:#331b1c;--fail-bar:#d9483f;
--warn:#f3c871;--warn-ground:#3a2b0c;--warn-bar:#cf9327;
--known:#c6b0f5;--known-ground:#2b2146;--known-bar:#8464c7;
--unreached:#b4bec9;--unreached-ground:#2a323b;--unreached-bar:#6d7986;
--error:#f5a2d2;--error-ground:#3d1830;--error-bar:#b94a8c;
--not-applicable:#a3adb8;--not-applicable-ground:#20262e;--not-applicable-bar:#48525d}}
${outcomes}`;
