export const usage = `usage: webhooks-conformance diff BEFORE AFTER [options]
Takes two JSON reports and prints which cases broke, changed their failure, are no
longer judged, were fixed, are new or gone.
  --html FILE          write a page there, beside the text on standard output
exit codes: 0 nothing broke, 1 a case fails that did not fail before, 2 usage
examples
  webhooks-conformance diff before.json after.json --html diff.html`;
