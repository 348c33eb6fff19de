/** A diff that can be read without colour: signs, and `ins` and `del` for screen readers. */
import { diffLinesOf, diffParts, isByWords } from './diff-parts.ts'
import { ScrollArea } from './scroll-area.tsx'

const SIGNS = { same: ' ', added: '+', removed: '−', skipped: '⋯' } as const

const ByWords = ({ before, after }: { readonly before: string; readonly after: string }) => (
  <p class="diff diff-words">
    {diffParts(before, after).map(({ kind, text }, index) =>
      kind === 'added' ? (
        <ins key={index}>{text}</ins>
      ) : kind === 'removed' ? (
        <del key={index}>{text}</del>
      ) : (
        <span key={index}>{text}</span>
      ),
    )}
  </p>
)

export const DiffView = ({ before, after }: { readonly before: string; readonly after: string }) => {
  if (isByWords(before, after)) return <ByWords before={before} after={after} />
  return (
    <ScrollArea class="diff diff-lines" label="Change">
      {diffLinesOf(diffParts(before, after)).map(({ kind, text }, index) => (
        <div key={index} class={`line-${kind}`}>
          <span class="sign" aria-hidden="true">
            {SIGNS[kind]}
          </span>
          {kind === 'added' ? <ins>{text}</ins> : kind === 'removed' ? <del>{text}</del> : <span>{text}</span>}
        </div>
      ))}
    </ScrollArea>
  )
}
