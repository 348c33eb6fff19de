/** Compiled with ai 5, 6 and 7, never run: input and output of the tools are typed, down to the parts of a user interface. */
import type { Session } from '@hermes/core'
import type { InferUITools } from 'ai'
import { hermesTools } from '../../src/index.ts'

type Equal<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false
type Expect<Holds extends true> = Holds

const tools = (session: Session) => hermesTools(session)
const prefixed = (session: Session) => hermesTools(session, { prefix: 'my_', only: ['memory'] })

interface Names {
  readonly memory: unknown
  readonly skills_list: unknown
  readonly skill_view: unknown
  readonly skill_manage: unknown
}

type Ui = InferUITools<ReturnType<typeof tools>>

export type Known = Expect<Equal<keyof Ui, keyof Names>>

export type Inputs = [
  Expect<Equal<Ui['memory']['input']['target'], 'memory' | 'user' | 'project' | null | undefined>>,
  Expect<Equal<Ui['memory']['input']['content'], string | null | undefined>>,
  Expect<Equal<Ui['skills_list']['input'], { readonly category?: string | null | undefined }>>,
  Expect<Equal<Ui['skill_view']['input']['file_path'], string | null | undefined>>,
  Expect<Equal<Ui['skill_manage']['input']['create_anyway'], boolean | null | undefined>>,
  Expect<Equal<InferUITools<ReturnType<typeof prefixed>>['my_memory'], Ui['memory']>>,
]

/** Shows a tool part of a chat, as a host does. */
export const toast = (output: Ui['memory']['output']): string => {
  if (output.success) return `${output.target}: ${output.usage}, ${output.entry_count.toFixed(0)} entries`
  return output.code === 'held' ? `waits: ${output.pending_id ?? ''}` : output.error
}

export const skillNames = (output: Ui['skills_list']['output']): readonly string[] =>
  output.success ? output.skills.map(({ name }) => name) : []

export const shownText = (output: Ui['skill_view']['output']): string =>
  output.success ? (output.content ?? `${output.path}`) : output.error

export const written = (output: Ui['skill_manage']['output']): string => (output.success ? `${output.action} ${output.path}` : output.error)
