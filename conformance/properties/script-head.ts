/** What each script for bash has at its head: it sends requests, prints the answers, and keeps what they show of flows. */

/** Needs bash 3.2, curl, grep and awk. The calls behind it are made by `script.ts`. */
export const scriptFunctions = String.raw`work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset method content_type secret pad times
flooded=20000

# flows: of each flow that the answer on standard input shows its revision and its id, the id as JSON.
flows() {
  LC_ALL=C grep -oE '"([^"\\]|\\.)*"|[][{}:,]|[^][{}:,"[:space:]]+' | awk '
    $0 == "{" || $0 == "[" { depth++; name = id[depth] = revision[depth] = task[depth] = "" }
    $0 == "}" || $0 == "]" {
      if (id[depth] ~ /^"/ && revision[depth] ~ /^-?[0-9]+$/ && task[depth] == "") print revision[depth], id[depth]
      depth--
    }
    $0 == ":" { name = last }
    $0 !~ /^[][{}:,]$/ && name != "" {
      if (name == "\"flowId\"") id[depth] = $0
      if (name == "\"revision\"") revision[depth] = $0
      if (name == "\"taskId\"") task[depth] = $0
      name = ""
    }
    { last = $0 }'
}

# keep FLOW: keeps what flows prints; FLOW is the name of the one that the request made, or empty.
keep() {
  local made=$1 revision id known
  while read -r revision id; do
    if [ -n "$made" ]; then
      printf '%s' "$id" >"$work/$made.id"
      : >"$work/$made.revisions"
      made=
    fi
    for known in "$work"/*.id; do
      if [ -e "$known" ] && [ "$(<"$known")" = "$id" ]; then echo "$revision" >>"\${known%.id}.revisions"; fi
    done
  done
}

flow_id() { cat "$work/$1.id"; }
revisions() { sort -nu "$work/$1.revisions"; }

# revision FLOW BACK: the newest revision that an answer has shown, or the one BACK before it.
revision() { revisions "$1" | tail -n "$(($2 + 1))" | head -n 1; }

# knows NUMBER FLOW COUNT: whether answers have shown the flow, and COUNT revisions of it.
knows() {
  [ -e "$work/$2.id" ] && [ "$(revisions "$2" | wc -l)" -ge "$3" ] && return
  echo "$1. left out: no answer has shown $2, or too few revisions of it"
  return 1
}

by_hand() {
  echo "$1. BY HAND: $2"
  if [ -t 0 ]; then read -r -p '     do this, then press Enter '; fi
}

padded() {
  local LC_ALL=C
  printf '%s%*s' "$1" "$(($2 > \${#1} ? $2 - \${#1} : 0))" ''
}

# What a terminal may act on does not reach it, whatever the locale.
shown() {
  local LC_ALL=C
  local start=\${1:0:2000}
  printf '%s' "\${start//[^ -~]/?}"
}

# flood NUMBER KEYS WORDS: one request with a wrong secret from each of so many addresses that send nothing else.
flood() {
  local number=$1 keys=$2 words=$3 client
  if [ -z "$CLIENT_NETWORK" ]; then
    by_hand "$number" "$words"
    return
  fi
  for ((client = flooded; client < flooded + keys; client++)); do
    curl -sS -o /dev/null --max-time 30 --interface "$CLIENT_NETWORK.$((client / 250)).$((client % 250 + 1))" \
      -X POST -H 'content-type: application/json' -H 'authorization: Bearer wrong' --data '{}' "\${BASE_URL%/}$ROUTE_PATH"
  done
  flooded=$client
  printf '%s. %s -> sent\n' "$number" "$words"
}

# send NUMBER WORDS ROUTE CLIENT FLOW BODY; secrets and bodies reach curl through files, never in its arguments.
# Before it may stand: method, content_type, secret (both may be empty), pad (bytes), times.
send() {
  local number=$1 words=$2 route=$3 client=$4 made=$5 body=$6 path=$3_PATH own=$3_SECRET answer statuses= time
  local headers="content-type: \${content_type-application/json}"$'\n' how=(-X "\${method-POST}")
  if [ "\${secret-own}" != '' ]; then headers+="authorization: Bearer \${secret-\${!own}}"$'\n'; fi
  if [ -n "$CLIENT_NETWORK" ]; then how+=(--interface "$CLIENT_NETWORK.$((client / 250)).$((client % 250 + 1))"); fi
  # curl waits for a body behind HEAD.
  if [ "\${method-POST}" = HEAD ]; then how+=(--max-time 5); else how+=(--max-time 30); fi
  if [ -n "\${pad-}" ]; then body=$(padded "$body" "$pad"); fi
  for ((time = 0; time < \${times-1}; time++)); do
    answer=$(printf '%s' "$body" | curl -sS -w '\n%{http_code}' "\${how[@]}" --path-as-is --globoff \
      -H expect: -H @<(printf '%s' "$headers") --data-binary @- "\${BASE_URL%/}\${!path}")
    statuses+="\${answer##*$'\n'}"$'\n'
  done
  local status=\${answer##*$'\n'}
  answer=\${answer%$'\n'*}
  if [ "$status" = 000 ]; then status='no answer'; fi
  if [ "\${times-1}" != 1 ]; then
    status="$(printf '%s' "$statuses" | sort | uniq -c | awk '{ printf "%s%s x %s", (NR > 1 ? ", " : ""), $1, $2 }'), the last $status"
  fi
  printf '%s. %s -> %s\n     %s\n' "$number" "$words" "$status" "$(shown "$answer")"
  printf '%s\n' "$answer" | flows | keep "$made"
}
`.replaceAll("\\$", "$");
