/** One line of a chart. */
export interface ChartLine {
  readonly name: string
  /** A custom property of the style sheet. */
  readonly colour: string
  readonly values: readonly number[]
}
