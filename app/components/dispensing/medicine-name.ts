type PrintedMedicine = { name: string; brandName: string | null; strength: string; form: string }

/** "Lisinopril 10 mg tablet (Zestril)". No line breaks between a number and its unit. */
export const medicineName = ({ name, brandName, strength, form }: PrintedMedicine): string =>
  [name, strength.replace(/(\d) (?=[\p{L}%])/gu, '$1\u00a0'), form, brandName ? `(${brandName})` : '']
    .filter(Boolean)
    .join(' ')
