/** A number with its unit: "500 mg", "100 tablets". */
const quantity = /(\d[\d.,]*(?:\s?(?:%|[\p{L}µ]+))?)/u

/** A text in which no number is broken or separated from its unit. */
export const Quantities = ({ text }: { text: string }) =>
  text.split(quantity).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  )
