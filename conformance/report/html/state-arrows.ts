/** The states of a flow and the actions between them, with their place in the picture. */
import type { ClauseId } from "../../interface/clauses/index.ts";
import type { Column as State } from "../../interface/flow-model.ts";

export type { State };

type Point = readonly [x: number, y: number];

export const WIDE = 118;
export const HIGH = 34;
export const SIZE = [760, 382] as const;

/** The middle of each state's box. */
export const places: Readonly<Record<State, Point>> = {
  new: [120, 112],
  waiting: [345, 78],
  blocked: [345, 146],
  resumed: [570, 112],
  finished: [120, 338],
  failed: [270, 338],
  "cancel asked": [420, 252],
  "cancel pending": [590, 252],
  cancelled: [590, 338],
};

/** Around the states that all further actions apply to. */
export const liveFrame = { x: 46, y: 46, width: 600, height: 132 } as const;
const BOTTOM = liveFrame.y + liveFrame.height;
const RIGHT = liveFrame.x + liveFrame.width;

export interface StateArrow {
  readonly action: string;
  readonly clause: ClauseId;
  readonly from: readonly State[];
  readonly lines: readonly (readonly Point[])[];
  readonly name: Point;
  readonly align?: "end";
}

const live: readonly State[] = ["new", "waiting", "blocked", "resumed"];
const half = WIDE / 2;

/** From the live states' frame down to a state. */
const down = (state: State): readonly Point[] => {
  const [x, y] = places[state];
  return [
    [x, BOTTOM],
    [x, y - HIGH / 2],
  ];
};

export const stateArrows: readonly StateArrow[] = [
  {
    action: "create_flow",
    clause: "STATE-CREATE",
    from: [],
    lines: [
      [
        [6, 112],
        [120 - half, 112],
      ],
    ],
    name: [6, 16],
  },
  {
    action: "set_waiting",
    clause: "STATE-SET-WAITING",
    from: ["new"],
    lines: [
      [
        [120 + half, 108],
        [345 - half, 80],
      ],
      [
        [120 + half, 116],
        [345 - half, 144],
      ],
    ],
    name: [190, 66],
  },
  {
    action: "resume_flow",
    clause: "STATE-RESUME",
    from: ["waiting", "blocked"],
    lines: [
      [
        [345 + half, 80],
        [570 - half, 108],
      ],
      [
        [345 + half, 144],
        [570 - half, 116],
      ],
    ],
    name: [436, 66],
  },
  { action: "finish_flow", clause: "STATE-FINISH", from: live, lines: [down("finished")], name: [127, 252] },
  { action: "fail_flow", clause: "STATE-FAIL", from: live, lines: [down("failed")], name: [277, 252] },
  {
    action: "request_cancel",
    clause: "STATE-REQUEST-CANCEL",
    from: live,
    lines: [down("cancel asked")],
    name: [413, 206],
    align: "end",
  },
  {
    action: "cancel_flow",
    clause: "STATE-CANCEL-PENDING",
    from: live,
    lines: [
      down("cancel pending"),
      [
        [590, 252 + HIGH / 2],
        [590, 338 - HIGH / 2],
      ],
    ],
    name: [583, 206],
    align: "end",
  },
  {
    action: "cancel_flow",
    clause: "STATE-CANCEL",
    from: [...live, "cancel asked"],
    lines: [
      [
        [RIGHT, 112],
        [724, 112],
        [724, 338],
        [590 + half, 338],
      ],
    ],
    name: [654, 86],
  },
];
