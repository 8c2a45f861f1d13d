export const usage = `usage: webhooks-conformance config --out DIR [--target FILE]
Writes DIR/config.json and DIR/secrets.env. Load both into your gateway, name
DIR as config.dir in a target file with a baseUrl, and run. Existing files are
never overwritten.
  --target FILE  fits the configuration to this target (entryId, sessionKey, merge)
                 and writes the files of its secretSources; {stateDir} is DIR
examples
  webhooks-conformance config --out conformance-config --target target.json`;
