/** The words by which `instruction-like.ts` knows a rule, a request or a claim of permission, in the languages most spoken to agents. */

const list = (text: string): readonly string[] => text.trim().split(/\s*\|\s*|\s*\n\s*/)

/** Speak to the reader or bind him, wherever they stand. Phrases are matched as whole words; Chinese, Japanese and the like as parts. */
export const BINDING_WORDS: readonly string[] = list(`
always | never | must | mustn't | should | shouldn't | shall | ought to | need to | needs to | have to | has to | required | requires | require | mandatory
do not | don't | cannot | can't | may not | not allowed | forbidden | prohibited | only ever | make sure | be sure | ensure | ensures
remember | don't forget | keep in mind | note that you | from now on | going forward | henceforth | in future | in the future | whenever | every time
each time | any time | if asked | when asked | ignore | disregard | override | overrides | bypass | pretend | instruction | instructions | instructed
rule | rules | policy | policies | guideline | guidelines | protocol | procedure | please | you | your | yours | yourself
the agent | the assistant | the model | the ai | ai agents | assistants | agents | system prompt
without asking | without confirmation | without approval | without review | without verification | no need to | no approval | no confirmation
no review | safe to | authorized | authorised | approved | pre-approved | trusted | whitelisted | allowlisted | exempt | permission | permitted | allowed to
supposed to | expected to | recommended | recommends | instead of | takes precedence | has priority | highest priority | important | urgent | immediately
siempre | nunca | jamás | debe | debes | deben | debería | hay que | tienes que | tiene que | recuerda | recordar | ignora | ignore | ejecuta | ejecute | envía
envíe | usa | usar | use | asegúrate | obligatorio | prohibido | a partir de ahora | no olvides | regla | reglas | instrucciones
sempre | jamais | deve | devem | deverá | tem que | precisa | é preciso | lembre | lembra | lembrar | executa | envie | envia | utilize | certifique-se
obrigatório | proibido | a partir de agora | não esqueça | regra | regras | instruções
toujours | doit | doivent | devez | dois | il faut | ignorez | exécute | exécutez | envoie | envoyez | utilise | utilisez | rappelle-toi | souviens-toi
n'oublie | n'oubliez | obligatoire | interdit | désormais | dorénavant | règle | règles | consigne | consignes
immer | nie | niemals | muss | müssen | musst | soll | sollen | sollst | sollte | sollten | darf | dürfen | merke | merk dir | ignoriere | führe | sende
schicke | verwende | benutze | nutze | stelle sicher | verboten | ab jetzt | von nun an | regel | regeln | anweisung | anweisungen | vorschrift
deve | devi | devono | bisogna | ignora | esegui | invia | usa | ricorda | ricordati | assicurati | vietato | obbligatorio | d'ora in poi | regola | regole
altijd | nooit | moet | moeten | onthoud | negeer | voer uit | stuur | gebruik | zorg ervoor | verboden | vanaf nu
всегда | никогда | должен | должна | должны | нужно | надо | необходимо | обязательно | нельзя | запрещено | игнорируй | игнорируйте | запусти | запустите
выполни | выполните | отправь | отправляй | отправьте | запомни | запомните | помни | используй | используйте | отныне | правило | правила
zawsze | nigdy | musi | musisz | należy | zapamiętaj | zignoruj | uruchom | wyślij | her zaman | asla | mutlaka | gerekir | hatırla | yoksay | çalıştır | gönder
`)

/** The same, for scripts in which words are not parted by spaces or carry endings. */
export const BINDING_PARTS: readonly string[] = list(`
必须 | 必須 | 务必 | 務必 | 总是 | 總是 | 始终 | 始終 | 永远 | 永遠 | 从不 | 从来不 | 不要 | 不得 | 不可 | 不能 | 禁止 | 请 | 請 | 应该 | 應該 | 应当 | 忽略 | 无视 | 無視 | 执行 | 執行 | 运行 | 發送 | 发送
记住 | 記住 | 记得 | 規則 | 规则 | 指令 | 指示 | 要求 | 今后 | 以后 | 每次 | 無論 | 无论 | 允许 | 批准
必ず | 常に | 絶対 | いつも | ください | 下さい | しないで | してはいけ | してはなら | すべき | べき | なければ | 実行 | 送信 | 覚えて | ルール | 規約 | 従って | 今後 | するな | せよ | しろ | 許可
항상 | 반드시 | 절대 | 하세요 | 하십시오 | 하지 마 | 해야 | 무시 | 실행 | 보내 | 기억 | 규칙 | 지시 | 앞으로 | 허용
دائما | دائمًا | أبدا | أبدًا | يجب | تجاهل | نفذ | أرسل | تذكر | قاعدة | ممنوع | من الآن
हमेशा | कभी नहीं | चाहिए | ज़रूर | जरूर | अनदेखा | चलाओ | भेजो | याद रख | नियम | अनिवार्य
תמיד | אף פעם | לעולם | חייב | התעלם | הרץ | שלח | זכור | luôn | không bao giờ | phải | hãy | ต้อง | ห้าม | เสมอ | อย่า | โปรด
`)

/** English verbs that order something where a sentence or a clause begins with them. */
export const ORDERING_VERBS: readonly string[] = list(`
accept | access | act | add | allow | answer | append | apply | approve | ask | assume | attach | avoid | call | change | check | choose | click | clone | commit
configure | confirm | connect | contact | copy | create | decline | delete | deny | deploy | disable | do | download | drop | email | enable | enter | escalate
execute | export | fetch | fix | follow | forget | forward | get | give | go | grant | import | include | insert | inform | install | introduce | invoke
keep | launch | leave | let | load | make | mention | merge | modify | move | navigate | notify | obey | omit | open | output | overwrite | paste
pay | perform | pick | post | prefer | prepend | print | proceed | promote | propose | provide | publish | pull | purchase | push | put | read
recommend | redirect | refer | refuse | register | reject | remove | rename | repeat | replace | reply | report | request | reset | respond | restart
return | reveal | revert | run | save | say | search | select | send | set | share | show | sign | skip | speak | start | stop | store | submit | suggest
switch | take | tell | transfer | treat | trust | try | turn | uninstall | update | upgrade | upload | use | verify | visit | wait | warn | wire | write
`)
