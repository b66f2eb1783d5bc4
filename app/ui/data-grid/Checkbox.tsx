type CheckboxProps = {
  label: string
  checked: boolean
  isIndeterminate?: boolean
  isDisabled?: boolean
  /** @param isRange whether Shift was held */
  onChange: (to: boolean, isRange: boolean) => void
}

/** The checkbox that selects rows; indeterminate when some of its rows are selected. */
export const Checkbox = ({
  label,
  checked,
  isIndeterminate = false,
  isDisabled = false,
  onChange,
}: CheckboxProps) => (
  <input
    type="checkbox"
    className="grid-check"
    aria-label={label}
    checked={checked}
    disabled={isDisabled}
    ref={(element) => {
      if (element) element.indeterminate = isIndeterminate
    }}
    // With Shift, a click would also select the text in between.
    onMouseDown={(event) => {
      if (event.shiftKey) event.preventDefault()
    }}
    onChange={({ currentTarget, nativeEvent }) =>
      onChange(currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
    }
  />
)
