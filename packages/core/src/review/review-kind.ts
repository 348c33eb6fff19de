/** What one review is about. Memory and skills due at once are one review. */
export type ReviewKind = 'memory' | 'skills' | 'both'

export const isAboutMemory = (kind: ReviewKind): boolean => kind !== 'skills'

export const isAboutSkills = (kind: ReviewKind): boolean => kind !== 'memory'
