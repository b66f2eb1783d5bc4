/** Says which codes of its packages a recall leaves out, so that staff watch for new packages. */
export const UnnamedCodes = ({ codes }: { codes: readonly string[] }) =>
  codes.length === 0 ? null : (
    <p className="my-3 wrap-anywhere">
      The recall leaves out {codes.join(', ')}, because packages that it does not cover may have the same
      code. If you add a package with one of these codes later, record a recall for it.
    </p>
  )
