/** An attack in neutral form: what the host, the user, the agent's model and its tools do. A surface plays it through one way of using the library. */
import type { Hermes, HermesOptions, StorageBackend } from '@hermes/core'

/** A message that the host puts into the window, and this session did not see come into being. */
export type WindowMessage =
  | { readonly role: 'user'; readonly text: string; readonly name?: string }
  | { readonly role: 'assistant'; readonly text: string }
  /** A call and its result. */
  | { readonly role: 'tool'; readonly name: string; readonly text: string }

export interface Attachment {
  readonly name: string
  readonly mediaType: string
  /** The text of a text file. */
  readonly text?: string
}

export interface UserMessage {
  readonly text: string
  /** The name of a speaker, for frameworks that have one. */
  readonly name?: string
  readonly attachments?: readonly Attachment[]
}

/** What the agent's model answers. Each turn ends with `say`. */
export type Step =
  | {
      readonly kind: 'say'
      readonly text: string
      /** Titles of the sources that the provider lists beside the text. */
      readonly sources?: readonly string[]
      /** Text that the provider reports beside the answer only. */
      readonly metadata?: string
    }
  | { readonly kind: 'call'; readonly name: string; readonly input: Readonly<Record<string, unknown>>; readonly id?: string }
  /** The provider runs the tool and the model goes on in the same answer. */
  | { readonly kind: 'provider-call'; readonly name: string; readonly result: string; readonly text: string }

/** A call of the wrapped model from inside a tool. */
export interface NestedCall {
  readonly system?: string
  readonly messages: readonly WindowMessage[]
  readonly steps: readonly Step[]
  readonly streams?: boolean
  /** Whether the nested agent has the tools of the session too. */
  readonly ownTools?: boolean
}

export type Ask = (call: NestedCall) => Promise<string>

export interface HostTool {
  readonly name: string
  readonly description: string
  /** The name of the session's tool whose description this one copies. */
  readonly copies?: string
  /** The name that its result carries, if it is another. */
  readonly answersAs?: string
  /** What it throws is the tool's error. */
  readonly run: (ask: Ask) => Promise<string>
}

export interface Turn {
  /** What happens in the home, outside this conversation, before the turn. */
  readonly meanwhile?: (hermes: Hermes) => Promise<void>
  /** The host drops everything from its window. */
  readonly forgets?: boolean
  /** Put into the window before the user's message. */
  readonly window?: readonly WindowMessage[]
  readonly user: UserMessage
  readonly steps: readonly Step[]
}

export interface Scene {
  /** What the home holds before the first session. */
  readonly prepare?: (hermes: Hermes, storage: StorageBackend) => Promise<void>
  readonly options?: Partial<Omit<HermesOptions, 'storage' | 'trust'>>
  /** Default: short instructions without anything from outside. */
  readonly instructions?: string
  readonly tools?: readonly HostTool[]
  /** Whether the session's tools are offered. Default true. A host tool of the same name takes the place of one. */
  readonly ownTools?: boolean
  /** Whether reviews run. Default true; false leaves the agent's own calls alone. */
  readonly reviews?: boolean
  /** The review repeats the host's request, so the host's own model answers it. */
  readonly replays?: boolean
  /** The executor does not pass its steps on. */
  readonly hidesSteps?: boolean
  readonly turns: readonly Turn[]
  /** What a person or the schedule does after the conversation. */
  readonly finish?: (hermes: Hermes) => Promise<void>
  /** Whether the attack's text in a live skill counts: false where a person has put the skill there. Default false. */
  readonly mustNotGoLive?: boolean
}
