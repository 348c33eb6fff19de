/** A way in which text from outside reaches the model, and with it a review. */
import type { Scene } from './scene.ts'
import type { SurfaceName } from './surfaces/surface.ts'
import type { Wording } from './wordings/wording.ts'

export interface Channel {
  /** Unique; also seeds what is drawn for it. */
  readonly id: string
  /** No adapter can see it, so the agent's own note is the most that is wanted; `note` says why. */
  readonly unseen?: string
  /** Where it exists. Default: everywhere. */
  readonly surfaces?: readonly SurfaceName[]
  /** Default: drawn from the claims and frames. */
  readonly wordings?: readonly Wording[]
  readonly scene: (wording: Wording, draw: Draw) => Scene
}

/** What varies between two attacks of a channel that have nothing to do with its wording. */
export interface Draw {
  /** A drawn number, for a choice of the channel's own. */
  readonly lot: number
  /** An innocent question of the user. */
  readonly question: string
  /** An innocent message of the user for the next turn. */
  readonly next: string
  /** The host has dropped its window before the next turn. */
  readonly forgets: boolean
}
