/** A server process that serves many owners through every entry point of LangChain; scripts/owners.long.test.ts starts it. */
import { runOperations } from '../../../ai-sdk/test/support/run-operations.ts'
import { invokedAgent, streamedAgent } from './agent-hosts.ts'
import { LCEL_HOSTS, lcelCapabilities, lcelHost } from './lcel-hosts.ts'
import { LEGACY_HOSTS, legacyHost } from './legacy-hosts.ts'

const entryPoints = [
  { name: 'createAgent.invoke', create: invokedAgent, toolLoop: true, owners: true },
  { name: 'createAgent.stream', create: streamedAgent, toolLoop: true, owners: true },
  ...LCEL_HOSTS.map((way) => ({ name: way, create: lcelHost(way), toolLoop: lcelCapabilities(way).toolLoop !== false, owners: true })),
  ...LEGACY_HOSTS.map((kind) => ({ name: kind, create: legacyHost(kind), toolLoop: false, owners: false })),
]

await runOperations(entryPoints)
