/** The suite's own tools as tools of LangChain. */
import type { AdapterHostSetup } from '@hermes/testing'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { z } from 'zod'

export const toolsOf = ({ tools }: AdapterHostSetup) =>
  Object.entries(tools).map(
    ([name, run]) =>
      new DynamicStructuredTool({ name, description: name, schema: z.looseObject({}), func: async (input: unknown) => run(input) }),
  )
