/** How many days a screen goes back. */
const SPANS = [7, 30, 90, 365] as const

export const SpanChoice = ({ days, onChange }: { readonly days: number; readonly onChange: (days: number) => void }) => (
  <label class="choice">
    Time
    <select value={days} onChange={(event) => onChange(Number(event.currentTarget.value))}>
      {SPANS.map((span) => (
        <option key={span} value={span}>
          {span} days
        </option>
      ))}
    </select>
  </label>
)
