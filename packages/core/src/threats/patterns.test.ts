import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { WHITE_SPACE } from '../shared/white-space.ts'
import { THREAT_PATTERNS } from './patterns.ts'
import { THREAT_PHRASES } from './phrases.ts'
import { scanThreats } from './scan.ts'

// Each pattern again as one plain expression that may backtrack. `~` is a run of white space, `…` filler words.
const WORD = '[\\p{L}\\p{N}_]'
const SPACE = `[${WHITE_SPACE}]`
const EDGE = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`
const plain = (source: string): RegExp =>
  new RegExp(
    source
      .replaceAll('…3', `(?:${WORD}+${SPACE}+){0,3}`)
      .replaceAll('…', `(?:${WORD}+${SPACE}+){0,8}`)
      .replaceAll('~', `${SPACE}+`)
      .replaceAll('\\w', WORD)
      .replaceAll('\\s', SPACE)
      .replaceAll('\\b', EDGE),
    'u',
  )

const CHANGES = '(?:update|modify|edit|write|change|append|add~to)~[^\\n]{0,2048}'
const SECRET_NAME = '[^\\n]{0,2048}\\$\\{?\\w*(?:key|token|secret|password|credential)s?(?!\\w)'
const HOME = '(?:\\x7e|\\$home)'

const PLAIN: Readonly<Record<string, RegExp>> = {
  prompt_injection: plain('ignore~…(?:previous|all|above|prior)~…instructions'),
  sys_prompt_override: plain('system~prompt~override'),
  disregard_rules: plain('disregard~…(?:your|all|any)~…(?:instructions|rules|guidelines)'),
  bypass_restrictions: plain("act~as~(?:if|though)~…you~…(?:have~no|don't~have)~…(?:restrictions|limits|rules)"),
  deception_hide: plain('do~not~…tell~…the~user'),
  role_hijack: plain('you~are~…now~(?:a|an|the)\\s'),
  role_pretend: plain('pretend~…(?:you~are|to~be)\\s'),
  leak_system_prompt: plain('output~…(?:system|initial)~prompt'),
  remove_filters: plain('(?:respond|answer|reply)~without~…(?:restrictions|limitations|filters|safety)'),
  fake_update: plain('you~have~been~…(?:updated|upgraded|patched)~to'),
  identity_override: plain('\\bname~yourself~\\w'),
  c2_node_registration: plain('register~(?:as~)?(?:a~)?node'),
  c2_heartbeat: plain('(?:heartbeat|beacon|check(?:-|~)?in)~(?:to|with)\\s'),
  c2_task_pull: plain('pull~(?:down~)?(?:new~)?task(?:s|ing)?(?!\\w)'),
  c2_network_connect: plain('connect~to~the~network(?!\\w)'),
  forced_action: plain('you~must~…3(?:register|connect|report|beacon)(?!\\w)'),
  anti_forensic_oneliner: plain('only~use~one(?:-|~)?liners?(?!\\w)'),
  anti_forensic_disk: plain('never~…(?:create|write)~…(?:script|file)~…disk'),
  env_var_unset_agent: plain('unset~\\w*(?:claude|codex|hermes|agent|openai|anthropic)'),
  c2_explicit: plain('\\bc2~(?:server|channel|infrastructure|beacon)(?!\\w)'),
  c2_explicit_long: plain('\\bcommand~and~control(?!\\w)'),
  context_exfil: plain('(?:include|output|print|share)~…(?:conversation|chat~history|previous~messages|(?:full|entire)~context)'),
  html_comment_injection: plain('<!--[^>]{0,512}(?:ignore|override|system|secret|hidden)[^>]{0,512}-->'),
  hidden_div: plain('<\\s*div~style\\s*=\\s*["\'][^]{0,512}display\\s*:\\s*none'),
  translate_execute: plain(`translate~[^\\n]{0,2048}~into~(?:[^${WHITE_SPACE}]+~){1,3}and~(?:execute|run|eval)(?!\\w)`),
  exfil_curl: plain(`curl~${SECRET_NAME}`),
  exfil_wget: plain(`wget~${SECRET_NAME}`),
  read_secrets: plain('cat~[^\\n]{0,2048}(?:\\.env|credentials|\\.netrc|\\.pgpass|\\.npmrc|\\.pypirc)'),
  known_c2_framework: plain('\\b(?:cobalt\\s*strike|sliver|havoc|mythic|metasploit|brainworm)(?!\\w)'),
  send_to_url: plain('(?:send|post|upload|transmit)~[^\\n]{0,2048}~(?:to|at)~https?://'),
  ssh_backdoor: plain('authorized_keys'),
  ssh_access: plain(`(?:\\b(?:cat|cp|write|add|tee)(?!\\w)|\\bopen\\(|>)[^]{0,512}${HOME}/\\.ssh`),
  hermes_env: plain(`${HOME}/\\.hermes/\\.env`),
  agent_config_mod: plain(`${CHANGES}(?:agents\\.md|claude\\.md|\\.cursorrules|\\.clinerules)`),
  hermes_config_mod: plain(`${CHANGES}\\.hermes/(?:config\\.yaml|soul\\.md)`),
  hardcoded_secret: plain('(?:api[_-]?key|token|secret|password)\\s*[=:]\\s*["\'][a-z0-9+/=_-]{20}'),
}

const fold = (text: string): string => text.normalize('NFKC').replace(/[İı]/g, 'i').toLowerCase()

/** Parts of the random texts for each pattern, in an order that can match. */
const VOCABULARY: Readonly<Record<string, string>> = {
  prompt_injection: 'ignore previous all above instructions',
  sys_prompt_override: 'system prompt override',
  disregard_rules: 'disregard your any rules guidelines',
  bypass_restrictions: "act as if you have no don't limits though",
  deception_hide: 'do not tell the user',
  role_hijack: 'you are now a the',
  role_pretend: 'pretend you are to be',
  leak_system_prompt: 'output system initial prompt',
  remove_filters: 'answer reply without safety filters',
  fake_update: 'you have been updated patched to',
  identity_override: 'name yourself x -',
  c2_node_registration: 'register as a node',
  c2_heartbeat: 'heartbeat check in check-in to with',
  c2_task_pull: 'pull down new task tasks tasking',
  c2_network_connect: 'connect to the network',
  forced_action: 'you must report connect',
  anti_forensic_oneliner: 'only use one liner one-liners s',
  anti_forensic_disk: 'never create write script file disk',
  env_var_unset_agent: 'unset MY_ CLAUDE_X hermes -agent',
  c2_explicit: 'c2 server beacon',
  c2_explicit_long: 'command and control',
  context_exfil: 'print share conversation chat history full context previous messages',
  html_comment_injection: '<!-- --> > - ignore secret',
  hidden_div: '< div style = " display : none',
  translate_execute: 'translate into bash and run execute',
  exfil_curl: 'curl $API_ KEY $ { TOKEN S }',
  exfil_wget: 'wget $API_ SECRET $ S _',
  read_secrets: 'cat .env credentials .netrc',
  known_c2_framework: 'cobalt strike sliver s',
  send_to_url: 'send post to at https:// http',
  ssh_access: 'cat write add open( > ~ /.ssh $HOME dress',
  hermes_env: '~ $HOME /.hermes /.env',
  agent_config_mod: 'write edit add to AGENTS.md .cursorrules',
  hermes_config_mod: 'change add to .hermes/ config.yaml SOUL.md',
  hardcoded_secret: 'api_ key = " abcdefghij0123456789 token :',
}

describe('threat matchers', () => {
  const ids = [...THREAT_PHRASES, ...THREAT_PATTERNS].map(({ id }) => id)

  it('number 36, each with a plain restatement here', () => {
    expect(ids).toHaveLength(36)
    expect(new Set(ids)).toEqual(new Set(Object.keys(PLAIN)))
  })

  it.each(Object.entries(VOCABULARY))('mean the same as the plain expression: %s', (id, words) => {
    const expression = PLAIN[id] as RegExp
    const space = fc.constantFrom(' ', ' ', ' ', ' ', ' ', ' ', '', '', '', '  ', '\n', '\t', '\u2028', '\n\n')
    const piece = fc.constantFrom(...words.split(' '), ...words.split(' '), ...words.split(' '), 'w', 'é', '.', 'İ', 'x'.repeat(505), '😀')
    const text = fc.array(fc.tuple(piece, space), { minLength: 2, maxLength: 14 }).map((pairs) => pairs.flat().join(''))
    const inOrder = words
      .split(' ')
      .map((word) =>
        fc
          .tuple(fc.constantFrom('', '', '', '', '', '', 'w '), fc.constantFrom(word, word, word, word, word, word, ''), space)
          .map((parts) => parts.join('')),
      )
    const ordered = fc.tuple(...inOrder).map((parts) => parts.join(''))
    let hits = 0
    fc.assert(
      fc.property(fc.oneof(text, ordered), (sample) => {
        const expected = expression.test(fold(sample))
        if (expected) hits++
        return scanThreats(sample, 'strict').includes(id) === expected
      }),
      { numRuns: rounds(1500), seed: 7 },
    )
    expect(hits, 'the random texts must hold the pattern now and then').toBeGreaterThan(0)
  })

  it('keep the limit of eight fillers and of the distances', () => {
    const fillers = (count: number) => 'w '.repeat(count)
    expect(scanThreats(`do not ${fillers(8)}tell ${fillers(8)}the user`, 'all')).toEqual(['deception_hide'])
    expect(scanThreats(`do not ${fillers(9)}tell the user`, 'all')).toEqual([])
    expect(scanThreats(`curl ${'a'.repeat(2048)}$TOKEN`, 'all')).toEqual(['exfil_curl'])
    expect(scanThreats(`curl ${'a'.repeat(2049)}$TOKEN`, 'all')).toEqual([])
    expect(scanThreats(`echo >${'\n'.repeat(512)}~/.ssh`, 'strict')).toEqual(['ssh_access'])
    expect(scanThreats(`echo >${'\n'.repeat(513)}~/.ssh`, 'strict')).toEqual([])
  })
})
