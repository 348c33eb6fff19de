/** The phrases of the threat scan, in the notation of `parsePhrase` (reference hermes-memory 7). */
import type { ThreatScope } from './scope.ts'

export interface ThreatPhrase {
  readonly id: string
  readonly scope: ThreatScope
  /** Any of them makes the finding. */
  readonly notations: readonly string[]
}

export const THREAT_PHRASES: readonly ThreatPhrase[] = [
  { id: 'prompt_injection', scope: 'all', notations: ['*ignore … previous|all|above|prior … instructions*'] },
  { id: 'sys_prompt_override', scope: 'all', notations: ['*system prompt override*'] },
  { id: 'disregard_rules', scope: 'all', notations: ['*disregard … your|all|any … instructions|rules|guidelines*'] },
  {
    id: 'bypass_restrictions',
    scope: 'all',
    notations: [
      '*act as if|though … you … have no … restrictions|limits|rules*',
      "*act as if|though … you … don't have … restrictions|limits|rules*",
    ],
  },
  { id: 'deception_hide', scope: 'all', notations: ['*do not … tell … the user*'] },
  { id: 'role_hijack', scope: 'context', notations: ['*you are … now a|an|the_'] },
  { id: 'role_pretend', scope: 'context', notations: ['*pretend … you are_', '*pretend … to be_'] },
  { id: 'leak_system_prompt', scope: 'context', notations: ['*output … system|initial prompt*'] },
  { id: 'remove_filters', scope: 'context', notations: ['*respond|answer|reply without … restrictions|limitations|filters|safety*'] },
  { id: 'fake_update', scope: 'context', notations: ['*you have been … updated|upgraded|patched to*'] },
  { id: 'identity_override', scope: 'context', notations: ['^name yourself <word>'] },
  { id: 'c2_node_registration', scope: 'context', notations: ['*register [as] [a] node*'] },
  { id: 'c2_heartbeat', scope: 'context', notations: ['*heartbeat|beacon|check-in|checkin to|with_', '*check in to|with_'] },
  { id: 'c2_task_pull', scope: 'context', notations: ['*pull [down] [new] task|tasks|tasking$'] },
  { id: 'c2_network_connect', scope: 'context', notations: ['*connect to the network$'] },
  { id: 'forced_action', scope: 'context', notations: ['*you must …3 register|connect|report|beacon$'] },
  {
    id: 'anti_forensic_oneliner',
    scope: 'context',
    notations: ['*only use one-liner|one-liners|oneliner|oneliners$', '*only use one liner|liners$'],
  },
  { id: 'anti_forensic_disk', scope: 'context', notations: ['*never … create|write … script|file … disk*'] },
  { id: 'env_var_unset_agent', scope: 'context', notations: ['*unset *claude|codex|hermes|agent|openai|anthropic*'] },
  { id: 'c2_explicit', scope: 'context', notations: ['^c2 server|channel|infrastructure|beacon$'] },
  { id: 'c2_explicit_long', scope: 'context', notations: ['^command and control$'] },
  {
    id: 'context_exfil',
    scope: 'strict',
    notations: [
      '*include|output|print|share … conversation*',
      '*include|output|print|share … chat history*',
      '*include|output|print|share … previous messages*',
      '*include|output|print|share … full|entire context*',
    ],
  },
]
