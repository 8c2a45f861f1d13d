export const usage = `usage: webhooks-conformance init [options]
Without --plugin, --start and --base-url it asks on a terminal for what the options
leave out; with one of them it asks nothing.
  --plugin FILE      the target file that stands for run --plugin FILE
  --runtime KIND     with --plugin: bare (default) or checking, as for serve
  --start "COMMAND"  how the kit starts the target; {config} and {port} are filled in
  --base-url URL     or: where it already runs
  --name NAME        what reports call it
  --product NAME     the word in x-<product>-webhook-secret
  --profile NAME     spec, reference, openclaw or a path to one of your own
  --out FILE         the file to write, target.json by default; never overwritten
examples
  webhooks-conformance init --start 'node server.mjs --config {config} --port {port}'
  webhooks-conformance init --base-url http://127.0.0.1:8080 --out running.json`;
