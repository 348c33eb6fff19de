/** `@hermes/testing/poisoning`: the attacks of `poisoningConformance` and how they are played, for programs without vitest. */
export {
  type PoisoningAttack,
  type PoisoningChoices,
  type PoisoningNote,
  poisoningAttacks,
} from './poisoning/attack.ts'
export {
  type AdaptiveRun,
  type Authority,
  type CreatePoisonedMemory,
  isRaised,
  POISONING_OUTCOMES,
  type PoisonedMemory,
  type PoisonedModel,
  type PoisoningConversation,
  type PoisoningOutcome,
  playAdaptive,
  playHonest,
  playPoisoning,
  type StoredNote,
} from './poisoning/play-attack.ts'
export type { OutsideKind, OutsideText, PoisoningSession, PoisoningTurn } from './poisoning/ways-in.ts'
