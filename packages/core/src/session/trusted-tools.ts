/** Tools that the host vouches for: their results do not count as text from outside. Names prove nothing by themselves, so a tool object is the better mark. */
import type { TurnMessage } from '../proposal/turn-message.ts'

/** A name, or a tool object: then the call has to offer a tool of this name with the same description. */
export type TrustedTool = string | { readonly name: string; readonly description?: string | undefined }

/** A tool as a call offers it to its model. */
export interface OfferedTool {
  readonly name: string
  /** Tells a host's tool from another of the same name. */
  readonly description?: string | undefined
}

export interface ToolTrust {
  /** The tools of the newest step. */
  noteOffered(tools: readonly (string | OfferedTool)[]): void
  /** True if all tools that this message answers are vouched for. */
  isTrusted(message: TurnMessage): boolean
}

export const toolTrust = (trusted: readonly TrustedTool[]): ToolTrust => {
  const names = new Set(trusted.filter((tool) => typeof tool === 'string'))
  const objects = new Map(trusted.flatMap((tool) => (typeof tool === 'string' ? [] : [[tool.name, tool.description ?? '']])))
  let offered = new Map<string, string | undefined>()
  return {
    noteOffered(tools) {
      if (objects.size === 0) return
      offered = new Map(tools.map((tool) => (typeof tool === 'string' ? [tool, undefined] : [tool.name, tool.description ?? ''])))
    },
    isTrusted: ({ toolNames = [] }) =>
      toolNames.length > 0 && toolNames.every((name) => names.has(name) || (objects.has(name) && objects.get(name) === offered.get(name))),
  }
}
