/** The words by which a person asks to remember something, to forget it, or says that it has changed, in the languages most spoken to agents. */
import { normaliseText } from './normalise-text.ts'
import { spend } from './work-limit.ts'

const matcher = (spaced: string, parts: string): RegExp => {
  const words = spaced.trim().split(/\s*[|\n]\s*/)
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.map(normaliseText).join('|')})(?![\\p{L}\\p{N}])|${parts}`, 'u')
}

const remember = matcher(
  `remember | memorize | memorise | keep in mind | don't forget | note that | make a note | take note | save this | save that | lembre | lembra | lembre-se
  guarde | anote | memorize | recuerda | recuérdalo | apunta | anota | guarda | souviens-toi | souvenez-vous | retiens | retenez | note que | rappelle-toi
  merke | merk dir | merken sie sich | notiere | ricorda | ricordati | onthoud | запомни | запомните | помни | zapamiętaj | hatırla`,
  '记住|記住|记得|記得|覚えて|기억해|تذكر|याद रख',
)

const forget = matcher(
  `forget | erase from memory | don't remember | stop remembering | remove from memory | delete from memory | esquece | esqueça | olvida | olvídate
  oublie | oubliez | vergiss | vergessen sie | dimentica | vergeet | забудь | забудьте | zapomnij | unut`,
  '忘记|忘記|忘掉|忘れて|잊어|انس|भूल जा',
)

const change = matcher(
  `remove | delete | erase | drop | discard | no longer | not anymore | not any more | anymore | any more | wrong | incorrect | outdated | obsolete | out of date | not true
  switched | moved | changed | replaced | migrated | stopped | quit | stop | correction | used to | apaga | apague | remove | remova | já não | não mais | errado
  mudei | mudou | borra | elimina | ya no | equivocado | incorrecto | cambié | cambió | supprime | supprimez | efface | faux | changé
  lösche | löschen | entferne | nicht mehr | falsch | veraltet | geändert | cancella | rimuovi | non più | sbagliato | cambiato | verwijder | niet meer | fout
  удали | удалите | больше не | неверно | неправильно | устарело | изменилось | usuń | już nie | artık | yanlış | sil`,
  '删除|刪除|不再|错了|錯了|改成|改为|换成|削除|もう使|間違|変わ|変更|삭제|더 이상|틀렸|바뀌|احذف|لم يعد|हटा|अब नहीं',
)

/** "Don't forget" asks for the opposite. */
const keptInMind =
  /(?<!\p{L})(?:(?:don't|dont|do not|never|not|let's not) (?:ever )?forget|(?:vergiss|vergesst|vergessen sie|vergeet)[^.,!?]{0,30}?(?<!\p{L})(?:nicht|niet)|(?:nicht|niet) (?:zu )?verge(?:ssen|ten)|no (?:te |se |lo )?olvid\p{L}*|n'oubli\p{L}*|ne (?:l'|pas )?oubli\p{L}*|não (?:se |te )?esque\p{L}*|non (?:ti )?dimentic\p{L}*|не забуд\p{L}*|не забыва\p{L}*|nie zapomnij|unutma)(?!\p{L})|(?:不要|别|別|勿|不能)忘|忘れない|忘れず|잊지|मत भूल|لا تنس/gu

export type Wish = 'remember' | 'forget' | 'change'

const matchers: Readonly<Record<Wish, RegExp>> = { remember, forget, change }

export const expressesWish = (text: string, wish: Wish): boolean => {
  const plain = normaliseText(text)
  spend(100 * plain.length)
  return matchers[wish].test(wish === 'remember' ? plain : plain.replace(keptInMind, ' '))
}
