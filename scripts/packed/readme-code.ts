/** Extracts from a README the install commands, and the TypeScript blocks as programs that can be compiled and run. */

const blocksOf = (markdown: string, language: string): readonly string[] =>
  [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code)

/** The arguments of every `npm install` line, in order. */
export const installsIn = (markdown: string): readonly (readonly string[])[] =>
  blocksOf(markdown, 'sh')
    .flatMap((block) => block.split('\n'))
    .flatMap((line) => {
      const [, list] = /^npm install ([^#]*)/.exec(line) ?? []
      return list === undefined ? [] : [list.trim().split(/\s+/)]
    })

/** Every TypeScript block, in order. */
export const programsIn = (markdown: string): readonly string[] => blocksOf(markdown, 'ts')

const IMPORT = /^import [^\n]*$/gm

/** The same program for CommonJS, which has no top-level `await`. */
export const toCommonJs = (program: string): string => {
  const imports = program.match(IMPORT) ?? []
  const rest = program.replace(IMPORT, '')
  return `${imports.join('\n')}\n\nconst main = async () => {\n${rest}\n}\nvoid main()\n`
}
