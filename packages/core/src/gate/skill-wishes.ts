/**
 * Detects whether the user asked for a skill, or for the removal of a skill or a line. Deliberately conservative: a request that is not recognised waits for
 * a person.
 */
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { contentSequence, NEGATIONS, subjectWords } from '../text/content-words.ts'
import { spend } from '../text/work-limit.ts'
import type { OwnSentence } from './own-sentences.ts'
import type { LineChange } from './skill-text.ts'
import { SKILL_LAYOUT, sentencesOfUser, skillStatementsOf } from './trace-skill.ts'

/** Share of common words from which on a line counts as a rewording of another, or a sentence as being about a line. */
const SAME = 0.5

const rememberWords =
  /(?<!\p{L})(?:remember|keep in mind|save th(?:is|at)|make a note|take note|merk dir|merke|guarda|recuerda|lembr[ea]|retiens|ricorda|onthoud|запомни|zapamiętaj|hatırla)(?!\p{L})|记住|記住|覚えて|기억해/u
const skillWords = /(?<!\p{L})(?:skills?|playbook|runbook|how-?to|fähigkeit|habilidad|compétence|habilidade)(?!\p{L})|技能|スキル|스킬/u
const creationWords =
  /(?<!\p{L})(?:save|make|write|create|turn|store|keep|add|record|document|update|fix|patch|extend|change|improve|learn|capture|speicher\p{L}*|schreib\p{L}*|erstell\p{L}*|mach\p{L}*|aktualisier\p{L}*|crea\p{L}*|escribe|actualiza|enregistre\p{L}*|crée\p{L}*|écris|salva|salve|crie|aggiorna|maak|bewaar)(?!\p{L})|保存|创建|更新|作って|保存して|만들/u
const backReference =
  /(?<!\p{L})(?:this|that|it|das|dies|eso|esto|ça|cela|isso|isto|questo|dit|dat|это)(?!\p{L})|这|這|これ|それ|이것|그것/u
const noLongerWords =
  /(?<!\p{L})(?:no longer|not any ?more|any ?more|nicht mehr|ya no|ne plus|não mais|non più|niet meer|больше не)(?!\p{L})|不再|もう使/gu
const removalWords =
  /(?<!\p{L})(?:archive|retire|remove|delete|erase|drop|discard|forget|wrong|incorrect|outdated|obsolete|out of date|archivier\p{L}*|lösch\p{L}*|entfern\p{L}*|falsch|veraltet|archiva|borra|elimina|archivez?|supprimez?|efface|arquive|apagu?e|remova|archivia|cancella|rimuovi|verwijder|удали\p{L}*)(?!\p{L})|归档|删除|刪除|削除|アーカイブ|삭제/u

const negationsIn = (text: string): number => contentSequence(text).filter((word) => NEGATIONS.has(word)).length

/** With "no longer" and the like, which ask for a removal, as a word that is no negation. */
const asOutdated = (text: string): string => text.replace(noLongerWords, 'outdated')

/** The message in which the user asked to keep this as a skill, or to change the skill. */
export const findSkillRequest = (about: string, transcript: Transcript): TranscriptMessage | undefined => {
  const skill = subjectWords(about)
  const last = sentencesOfUser(transcript).findLast(({ text, words }) => {
    spend(300 + 50 * text.length)
    const isAbout = backReference.test(text) || words.some((word) => skill.has(word) && !SKILL_LAYOUT.has(word))
    return isAbout && (rememberWords.test(text) || (skillWords.test(text) && creationWords.test(text)))
  })
  return last && negationsIn(last.text) === 0 ? last.message : undefined
}

/** The message in which the user asked to remove this: `share` of its words must be named, and the last sentence about it counts. */
const findRequestToDrop = (what: string, share: number, sentences: readonly OwnSentence[]): TranscriptMessage | undefined => {
  const subject = subjectWords(what)
  if (subject.size === 0) return undefined
  const last = sentences.findLast(({ text, words }) => {
    spend(100 + 30 * words.length)
    const named = new Set(words.filter((word) => subject.has(word))).size
    return named >= share * subject.size && removalWords.test(asOutdated(text))
  })
  return last && negationsIn(asOutdated(last.text)) <= negationsIn(what) ? last.message : undefined
}

/** The same for a skill or a file, by its name. */
export const findRemovalRequest = (name: string, transcript: Transcript): TranscriptMessage | undefined =>
  findRequestToDrop(name.replace(/[-_./]/g, ' '), 1, sentencesOfUser(transcript))

/** True if each dropped line was reworded into a new one, losing only words that the user mentions, or if the user asked to remove it. */
export const areDropsRequested = ({ added, dropped }: LineChange, transcript: Transcript): boolean => {
  if (dropped.length === 0) return true
  const sentences = sentencesOfUser(transcript)
  const said = new Set(sentences.flatMap(({ text }) => contentSequence(text)))
  const fresh = added.map((line) => new Set(contentSequence(line)))
  const isReworded = (words: readonly string[]): boolean =>
    fresh.some((line) => {
      spend(60 * words.length)
      const lost = words.filter((word) => !line.has(word))
      return lost.length <= (1 - SAME) * words.length && lost.every((word) => said.has(word))
    })
  const lost = skillStatementsOf(dropped).filter(({ text }) => !isReworded(contentSequence(text)))
  return lost.every(({ text }) => findRequestToDrop(text, SAME, sentences) !== undefined)
}
