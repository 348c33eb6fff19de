/** A provider that keeps turns in memory and recalls those that share a rare enough word with the question: what the suite is tried on. */
import type { HomeProvider, MemoryProvider, ProviderTurn } from '@hermes/core/provider'

const wordsOf = (text: string): readonly string[] =>
  text
    .slice(0, 10_000)
    .toLowerCase()
    .match(/[\p{L}\p{N}]{4,}/gu) ?? []

/** `change` replaces hooks of each home, to try what the suite notices. */
export const wordProvider = (change: (hooks: HomeProvider) => HomeProvider = (hooks) => hooks): MemoryProvider => {
  const homes = new Map<string, Map<string, ProviderTurn>>()
  return {
    name: 'words',
    projects: true,
    systemPromptBlock: 'Use find_turns for what was said before.',
    tools: [
      { name: 'find_turns', description: 'Finds turns.', inputSchema: { type: 'object', properties: { query: { type: 'string' } } } },
    ],
    initialize({ folder }) {
      const turns = homes.get(folder) ?? new Map<string, ProviderTurn>()
      homes.set(folder, turns)
      const find = (text: string, from: string | undefined) => {
        const asked = new Set(wordsOf(text))
        const seen = [...turns.values()].filter(({ project }) => project === undefined || project === from)
        return seen.map(({ user }) => user).filter((user) => wordsOf(user).some((word) => asked.has(word)))
      }
      return change({
        prefetch: async ({ text, project }) => find(text, project),
        syncTurn: async (turn) => void turns.set(turn.id, turn),
        callTool: async ({ input, project }) => ({ turns: find(String(input['query']), project) }),
        async forget(target) {
          const concerned = [...turns.values()].filter(({ sessionId, user, assistant }) => {
            if (target.kind === 'all') return true
            return target.kind === 'session' ? target.sessionId === sessionId : target.matches(user) || target.matches(assistant)
          })
          if (!target.dryRun) for (const { id } of concerned) turns.delete(id)
          return concerned.length
        },
      })
    },
  }
}
