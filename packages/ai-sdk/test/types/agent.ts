/** Compiled with ai 6 and 7, never run. */
import { ToolLoopAgent } from 'ai'
import { model, tools } from './assignable.ts'

export const assistant = (): void => {
  new ToolLoopAgent({ model, tools })
}
