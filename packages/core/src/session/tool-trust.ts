/** The tools that the host vouches for. */
import type { TurnMessage } from '../proposal/turn-message.ts'

/** A tool that the host vouches for: its results do not count as text from outside. A name, or, since names prove nothing, a tool object: then the call has to offer a tool of this name with the same description. */
export type TrustedTool = string | { readonly name: string; readonly description?: string | undefined }

/** A tool as a call offers it to its model. */
export interface OfferedTool {
  readonly name: string
  /** Tells a host's tool from another of the same name. */
  readonly description?: string | undefined
}

export class ToolTrust {
  readonly #names: ReadonlySet<string>
  readonly #objects: ReadonlyMap<string, string>
  #offered = new Map<string, string | undefined>()

  constructor(trusted: readonly TrustedTool[]) {
    this.#names = new Set(trusted.filter((tool) => typeof tool === 'string'))
    this.#objects = new Map(trusted.flatMap((tool) => (typeof tool === 'string' ? [] : [[tool.name, tool.description ?? '']])))
  }

  /** The tools of the newest step. */
  noteOffered(tools: readonly (string | OfferedTool)[]): void {
    if (this.#objects.size === 0) return
    this.#offered = new Map(tools.map((tool) => (typeof tool === 'string' ? [tool, undefined] : [tool.name, tool.description ?? ''])))
  }

  /** True if all tools that this message answers are vouched for. */
  isTrusted({ toolNames = [] }: TurnMessage): boolean {
    const isKnown = (name: string) =>
      this.#names.has(name) || (this.#objects.has(name) && this.#objects.get(name) === this.#offered.get(name))
    return toolNames.length > 0 && toolNames.every(isKnown)
  }
}
