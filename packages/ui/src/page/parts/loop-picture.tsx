/** The loop; its stages light up as events come. */
import { STAGES, type Stage } from '../../api/views.ts'
import { connected, lit, said } from '../state/live.ts'

const NAMES: Readonly<Record<Stage, string>> = {
  turn: 'Turn',
  nudge: 'Nudge',
  words: 'Own words',
  everything: 'Everything',
  gate: 'Gate',
  write: 'Write',
}

export const LoopPicture = () => (
  <section class="loop" aria-label="The loop">
    <ol>
      {STAGES.map((stage) => (
        <li key={stage} class={lit.value.includes(stage) ? 'lit' : ''}>
          {NAMES[stage]}
        </li>
      ))}
    </ol>
    <output class="said" aria-live="polite">
      {connected.value ? said.value || 'Waiting for the next turn.' : 'Not connected.'}
    </output>
  </section>
)
