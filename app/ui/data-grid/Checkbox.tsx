type CheckboxProps = {
  label: string
  checked: boolean
  isIndeterminate?: boolean
  isDisabled?: boolean
  onChange: (to: boolean) => void
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
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
)
