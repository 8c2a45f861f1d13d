export const usage = `usage: webhooks-conformance matrix REPORT REPORT... [options]
Takes the JSON reports of several targets, or of several versions of one, and prints
how many cases of each section passed, and the cases that some report did not pass.
  --differences        only cases that do not end alike in all reports
  --html FILE          write a page there, beside the text on standard output
  --markdown FILE      write Markdown there, for a wiki or a pull request
exit codes: 0, whatever the verdicts of the reports; 2 usage
examples
  webhooks-conformance matrix one.json two.json three.json --differences`;
