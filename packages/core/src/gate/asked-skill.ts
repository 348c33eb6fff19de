/** Did the user ask for a skill, or for the change of one? Modest on purpose: what is not understood is taken for the agent's own idea. */
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { expressesWish } from './change-words.ts'
import { areRelated, subjectWords } from './content-words.ts'
import { forbidsVerb } from './forbidden-verb.ts'
import { statementsOfUser } from './inside-sentences.ts'
import { SKILL_LAYOUT } from './skill-vocabulary.ts'
import type { Sentence } from './statements.ts'
import { spend } from './work-limit.ts'

const namesSkill = /(?<!\p{L})(?:skills?|playbook|runbook|how-?to|fähigkeit|habilidad|compétence|habilidade)(?!\p{L})|技能|スキル|스킬/u
const makes =
  /(?<!\p{L})(?:save|make|write|create|turn|store|keep|add|record|document|update|fix|patch|extend|change|improve|remember|learn|capture|speicher\p{L}*|schreib\p{L}*|erstell\p{L}*|mach\p{L}*|merk\p{L}*|aktualisier\p{L}*|guarda\p{L}*|crea\p{L}*|escribe|actualiza|enregistre\p{L}*|crée\p{L}*|écris|salva|salve|crie|aggiorna|maak|bewaar)(?!\p{L})|保存|创建|更新|作って|保存して|만들/u
const putsAway = /(?<!\p{L})(?:archive|retire|archivier\p{L}*|archiva|archivez?|arquive|archivia)(?!\p{L})|归档|アーカイブ/u
const takesAway =
  /(?<!\p{L})(?:remove|delete|erase|drop|discard|apagu?e|remova|borra|elimina|supprimez?|efface|lösch\p{L}*|entfern\p{L}*|cancella|rimuovi|verwijder)(?!\p{L})|删除|刪除|削除|삭제/u

const namesNothing: ReadonlySet<string> = subjectWords(
  'save make write create turn store keep add record document update fix patch extend change improve remember learn capture playbook runbook howto new archive retire remove delete forget drop file longer need needed wrong outdated obsolete future later next time thing way did worked went',
)

const subjectOf = (sentence: Sentence): readonly string[] =>
  [...subjectWords(sentence.text)].filter((word) => !namesNothing.has(word) && !SKILL_LAYOUT.has(word))

/** Speaks of this skill, or of none in particular ("save that as a skill"). */
const isAbout = (sentence: Sentence, skill: ReadonlySet<string>): boolean => {
  const named = subjectOf(sentence)
  spend(5_000 + 30 * named.length * skill.size)
  return named.length === 0 || named.some((word) => [...skill].some((own) => areRelated(own, word)))
}

/** The message in which the user asked that this is kept as a skill, or that the skill is changed. */
export const findAskedSkill = (about: string, transcript: Transcript): TranscriptMessage | undefined => {
  const skill = subjectWords(about)
  return statementsOfUser(transcript).findLast(
    (sentence) =>
      (expressesWish(sentence.text, 'remember') || (namesSkill.test(sentence.normal) && makes.test(sentence.normal))) &&
      !forbidsVerb(sentence.text, makes) &&
      isAbout(sentence, skill),
  )?.message
}

/** The message in which the user asked that this very skill or file goes: it must be named with all of its words, and the last word counts. */
export const findAskedPuttingAway = (name: string, transcript: Transcript): TranscriptMessage | undefined => {
  const words = subjectWords(name.replace(/[-_./]+/g, ' '))
  if (words.size === 0) return undefined
  const wishes = (sentence: Sentence): boolean =>
    putsAway.test(sentence.normal)
      ? !forbidsVerb(sentence.text, putsAway)
      : (expressesWish(sentence.text, 'forget') || expressesWish(sentence.text, 'change')) && !forbidsVerb(sentence.text, takesAway)
  const last = statementsOfUser(transcript).findLast(
    (sentence) =>
      [...words].every((word) => sentence.words.has(word)) &&
      (wishes(sentence) || forbidsVerb(sentence.text, putsAway) || forbidsVerb(sentence.text, takesAway)),
  )
  return last && wishes(last) ? last.message : undefined
}
