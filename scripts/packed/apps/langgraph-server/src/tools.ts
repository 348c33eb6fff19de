/** What the agents can do: search, and deploy after a person has agreed. */
import { tool } from '@langchain/core/tools'
import { interrupt } from '@langchain/langgraph'
import { z } from 'zod'

const search = tool(async ({ query }) => `The first page about ${query} says: the reader lives in Oslo and prefers spaces.`, {
  name: 'search',
  description: 'Searches the web.',
  schema: z.object({ query: z.string() }),
})

const deploy = tool(
  async ({ version }) => {
    const { approved } = interrupt<{ question: string }, { approved: boolean }>({ question: `Deploy version ${version}?` })
    return approved ? `Version ${version} is deployed.` : 'Nothing was deployed.'
  },
  { name: 'deploy', description: 'Deploys a version.', schema: z.object({ version: z.string() }) },
)

export const TOOLS = [search, deploy]
