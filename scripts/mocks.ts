/** `npm run mocks`: judges both mocks and the same plugin behind a socket; fails where they differ otherwise than listed. */
import { runConformance, type LaunchTarget } from "../conformance/library/index.ts";
import { differingCases } from "../fakes/mocks/differences.test-support.ts";
import { endInterception, mockTargets, socketTarget } from "../conformance/test-support/mock-targets.test-support.ts";

type Outcomes = ReadonlyMap<string, { readonly outcome: string; readonly actual: string }>;

async function judged(target: LaunchTarget): Promise<Outcomes> {
  const { report } = await runConformance(target);
  const { counts } = report.verdict;
  const some = Object.entries(counts).flatMap(([outcome, count]) => (count > 0 ? [`${count} ${outcome}`] : []));
  process.stdout.write(`${target.name.padEnd(7)} ${(report.ms / 1000).toFixed(1).padStart(5)} s  ${some.join(", ")}\n`);
  return new Map(
    report.results.map(({ id, outcome, reason = "", actual = reason }) => [id, { outcome, actual }] as const),
  );
}

const socket = await judged(socketTarget);
for (const target of Object.values(mockTargets)) {
  const mock = await judged(target);
  const expected = differingCases(target.name);
  const differing = [...mock].filter(([id, { outcome }]) => outcome !== socket.get(id)?.outcome);
  const unlisted = differing.filter(([id]) => !expected.has(id));
  const alike = [...expected].filter((id) => !differing.some(([differs]) => differs === id));
  for (const [id, { outcome, actual }] of unlisted) {
    process.stdout.write(`  ${id}: ${socket.get(id)?.outcome} on a socket, ${outcome} here: ${actual}\n`);
  }
  for (const id of alike) process.stdout.write(`  ${id}: listed, but it does not differ\n`);
  const listed = differing.length - unlisted.length;
  process.stdout.write(`  ${mock.size - differing.length} cases as on a socket, ${listed} differ as listed\n`);
  if (unlisted.length + alike.length > 0) process.exitCode = 1;
}
endInterception();
