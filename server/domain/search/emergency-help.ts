import type { EmergencyKind, EmergencyLanguage } from './emergency-phrases.ts'

/** A number to call, and the words of its button. */
export type EmergencyCall = { number: string; label: string }

export type EmergencyHelp = {
  /** The heading of the page. */
  heading: string
  title: string
  text: string
  calls: readonly EmergencyCall[]
  /** Why no medicines are shown. */
  note: string
}

const localEmergency: Readonly<Record<EmergencyLanguage, EmergencyCall>> = {
  en: { number: '911', label: 'Call 911 (US, Canada)' },
  es: { number: '911', label: 'Llamar al 911 (EE. UU., Canadá)' },
  fr: { number: '911', label: 'Appeler le 911 (États-Unis, Canada)' },
}
const crisisLine: Readonly<Record<EmergencyLanguage, EmergencyCall>> = {
  en: { number: '988', label: 'Call 988' },
  es: { number: '988', label: 'Llamar al 988' },
  fr: { number: '988', label: 'Appeler le 988' },
}
const poisonHelp: Readonly<Record<EmergencyLanguage, EmergencyCall>> = {
  en: { number: '18002221222', label: 'Poison Help: 1-800-222-1222' },
  es: { number: '18002221222', label: 'Poison Help (EE. UU.): 1-800-222-1222' },
  fr: { number: '18002221222', label: 'Poison Help (États-Unis) : 1-800-222-1222' },
}

const headings: Readonly<Record<EmergencyLanguage, string>> = {
  en: 'Get help now',
  es: 'Pida ayuda ahora',
  fr: 'Obtenez de l’aide maintenant',
}
const notes: Readonly<Record<EmergencyLanguage, string>> = {
  en: 'We don’t show medicines for this search. To find a medicine, search for its name only.',
  es: 'No mostramos medicamentos para esta búsqueda. Para encontrar un medicamento, busque solo su nombre.',
  fr: 'Nous n’affichons pas de médicaments pour cette recherche. Pour trouver un médicament, cherchez seulement son nom.',
}

type Words = { title: string; text: string }

/**
 * What the lines offer in each language, by their own pages: 988lifeline.org (Spanish: press 2,
 * text AYUDA), 988.ca (English and French), poisonhelp.hrsa.gov (interpreters).
 */
const words: Readonly<Record<EmergencyLanguage, Readonly<Record<EmergencyKind, Words>>>> = {
  en: {
    emergency: {
      title: 'This could be an emergency',
      text: 'If you or someone else has this now, call your local emergency number, 911 in the US and Canada. Do not wait to get a medicine first.',
    },
    crisis: {
      title: 'You can talk to someone now',
      text: 'Call or text 988, the suicide and crisis line in the US and Canada, at any time. In another country, or if a life is in danger, call your local emergency number, 911 in the US and Canada.',
    },
    animal: {
      title: 'These medicines are for people',
      text: 'Medicines for people, and their doses, can harm animals. Ask a veterinarian before you give an animal anything.',
    },
    poison: {
      title: 'Get help for a poisoning or an overdose now',
      text: 'If someone has collapsed, is having a seizure, has trouble breathing or can’t be awakened, call your local emergency number, 911 in the US and Canada. Otherwise call Poison Help, 1-800-222-1222 in the US, or your local poison center. Do not wait until someone feels ill. If it was on purpose, call or text 988 in the US and Canada.',
    },
  },
  es: {
    emergency: {
      title: 'Esto podría ser una emergencia',
      text: 'Si le pasa esto ahora a usted o a otra persona, llame al número de emergencias de su localidad: el 911 en EE. UU. y Canadá. No espere a tener un medicamento.',
    },
    crisis: {
      title: 'Puede hablar con alguien ahora',
      text: 'En EE. UU., llame al 988 a cualquier hora y presione 2 para hablar en español, o envíe AYUDA por mensaje de texto al 988. En Canadá, el 988 atiende en inglés y francés. En otro país, o si una vida corre peligro, llame al número de emergencias de su localidad: el 911 en EE. UU. y Canadá.',
    },
    animal: {
      title: 'Estos medicamentos son para personas',
      text: 'Los medicamentos para personas, y sus dosis, pueden hacer daño a los animales. Pregunte a un veterinario antes de darle algo a un animal.',
    },
    poison: {
      title: 'Pida ayuda ahora por una intoxicación o una sobredosis',
      text: 'Si alguien se desplomó, tiene convulsiones, tiene dificultad para respirar o no despierta, llame al número de emergencias de su localidad: el 911 en EE. UU. y Canadá. Si no, llame a Poison Help, 1-800-222-1222 en EE. UU., que ofrece intérpretes, o al centro toxicológico de su localidad. No espere a que alguien se sienta mal. Si fue a propósito, llame al 988: en EE. UU. presione 2 para hablar en español; en Canadá atiende en inglés y francés.',
    },
  },
  fr: {
    emergency: {
      title: 'Il peut s’agir d’une urgence',
      text: 'Si cela vous arrive maintenant, à vous ou à une autre personne, appelez le numéro d’urgence local : le 911 au Canada et aux États-Unis. N’attendez pas un médicament.',
    },
    crisis: {
      title: 'Vous pouvez parler à quelqu’un maintenant',
      text: 'Au Canada, appelez ou textez le 988 à tout moment, en français ou en anglais. Aux États-Unis, le 988 répond en anglais et en espagnol. Dans un autre pays, ou si une vie est en danger, appelez le numéro d’urgence local : le 911 au Canada et aux États-Unis.',
    },
    animal: {
      title: 'Ces médicaments sont pour les personnes',
      text: 'Les médicaments pour les personnes, et leurs doses, peuvent nuire aux animaux. Consultez un vétérinaire avant de donner quoi que ce soit à un animal.',
    },
    poison: {
      title: 'Obtenez de l’aide maintenant pour une intoxication ou une surdose',
      text: 'Si quelqu’un s’est effondré, a des convulsions, respire difficilement ou ne se réveille pas, appelez le numéro d’urgence local : le 911 au Canada et aux États-Unis. Sinon, appelez votre centre antipoison local ou, aux États-Unis, Poison Help, 1-800-222-1222, qui offre des interprètes. N’attendez pas qu’une personne se sente mal. Si c’était volontaire, appelez ou textez le 988 : en français ou en anglais au Canada, en anglais ou en espagnol aux États-Unis.',
    },
  },
}

const calls: Readonly<Record<EmergencyKind, readonly Readonly<Record<EmergencyLanguage, EmergencyCall>>[]>> =
  {
    emergency: [localEmergency],
    crisis: [crisisLine, localEmergency],
    animal: [],
    poison: [localEmergency, poisonHelp],
  }

/** What a search that names an emergency is answered with, in the language of its words. */
export const helpFor = (kind: EmergencyKind, language: EmergencyLanguage): EmergencyHelp => ({
  heading: headings[language],
  ...words[language][kind],
  calls: calls[kind].map((call) => call[language]),
  note: notes[language],
})
