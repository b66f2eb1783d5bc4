/** Which help a search is answered with instead of medicines. */
export type EmergencyKind = 'crisis' | 'poison' | 'emergency' | 'animal'

export type EmergencyLanguage = 'en' | 'es' | 'fr'

export type EmergencyPhrases = {
  language: EmergencyLanguage
  /** The pharmacist or translator who reviewed the list. */
  reviewer: string | null
  terms: Readonly<Record<EmergencyKind, string>>
}

/**
 * What must not be answered with medicines, as people type it, folded: "can't" is "can t". The
 * Spanish and French terms are literal translations of English ones. The animals are those that
 * people keep.
 */
export const emergencyPhrases: readonly EmergencyPhrases[] = [
  {
    language: 'en',
    reviewer: null,
    terms: {
      crisis: `
      suicide, suicidal, suiside, sucidal, sucide, suisidal, self harm, selfharm, kill myself,
      killing myself, kill me, end my life, ending my life, take my life, taking my life, want to die,
      wanna die, wish i was dead, wish i were dead, hurt myself, hurting myself, harm myself,
      harming myself, cutting myself, better off dead, no reason to live, don t want to live,
      dont want to live, do not want to live, don t want to be alive, dont want to be alive, how to die,
      painless death, lethal dose, fatal dose, deadly dose, unalive`,
      poison: `
      overdose, overdosed, overdosing, over dose, over dosed, took too many, took too much, taken too many,
      taken too much, take too many, take too much, ate too many, swallowed too many, poison, poisoned,
      poisoning, poisonous, intoxication, carbon monoxide, drank bleach, drank cleaner, drank antifreeze,
      swallowed bleach, swallowed a battery, swallowed battery, swallowed a magnet, swallowed magnets,
      button battery, child swallowed, kid swallowed, baby swallowed, toddler swallowed, son swallowed,
      daughter swallowed, child ate, kid ate, baby ate, toddler ate, dog ate, cat ate,
      accidental ingestion, child took, kid took, baby took, toddler took, son took, daughter took`,
      emergency: `
      chest pain, chest pains, chestpain, chestpains, chest pressure, chest tightness, chest tight, tight chest, pain in chest,
      pain in my chest, pain in the chest, pressure in my chest, chest hurts, chest hurt, chest is tight,
      tightness in chest, tightness in my chest, heart attack, heartattack, cardiac arrest, left arm pain,
      arm and jaw pain, stroke, strokes, stoke, face drooping, face droop, slurred speech, slurring words,
      sudden numbness, sudden weakness, sudden confusion, sudden vision loss, sudden headache,
      worst headache, thunderclap headache, sudden severe headache, trouble breathing, trouble breathe,
      difficulty breathing, difficult breathing, difficulty in breathing, hard to breathe, hard to breath,
      problems breathing, can t breathe, cant breathe, can t breath, cant breath, cannot breathe,
      cannot breath, can not breathe, unable to breathe, not breathing, stopped breathing,
      struggling to breathe, gasping for air, short of breath, shortness of breath, out of breath,
      breathless, choking, blue lips, lips are blue, anaphylaxis, anaphylactic, anaphilaxis, anafilaxis,
      anaphalaxis, anafalactic, anaphalactic, anaphylatic, severe allergic reaction,
      severe allergy reaction, bad allergic reaction, allergic shock, throat closing, throat is closing,
      throat swelling, throat swollen shut, swollen throat, tongue swelling, swollen tongue,
      tongue is swelling, face swelling, asthma attack, asthma attacks, seizure, seizures, siezure,
      siezures, seizing, convulsion, convulsions, unconscious, unresponsive, passed out, won t wake up,
      wont wake up, can t wake, cant wake, severe bleeding, heavy bleeding, bleeding heavily,
      bleeding won t stop, bleeding wont stop, won t stop bleeding, wont stop bleeding,
      can t stop bleeding, cant stop bleeding, coughing blood, coughing up blood, cough up blood,
      vomiting blood, vomit blood, throwing up blood, blood in vomit, head injury, concussion,
      diabetic coma, electric shock, electrocuted, snake bite, snakebite, bitten by a snake,
      pulmonary embolism, blood clot in lung, blood clot in leg, sepsis, severe burn, severe burns,
      third degree burn, broken bone, drowning, drowned, gunshot, stab wound`,
      animal: `
        dog, dogs, doggy, doggie, puppy, puppies, cat, cats, kitty, kitten, kittens, pet, pets, horse,
        horses, pony, rabbit, rabbits, bunny, hamster, hamsters, guinea pig, guinea pigs, ferret, ferrets,
        parrot, parrots, cow, cows, cattle, goat, goats, livestock, veterinary, veterinarian`,
    },
  },
  {
    language: 'es',
    reviewer: null,
    terms: {
      crisis: `
        suicidio, suicidarme, suicidarse, matarme, quiero morir, quiero morirme, quitarme la vida,
        acabar con mi vida, no quiero vivir, hacerme dano, autolesion, autolesiones, cortarme`,
      poison: `
        sobredosis, envenenamiento, envenenado, envenenada, intoxicacion, tome demasiado, tome demasiada,
        tome demasiados, tome demasiadas, tomo demasiado, tomo demasiadas, tomado demasiado,
        monoxido de carbono, bebio cloro, trago cloro, trago una pila, trago una bateria, mi hijo trago,
        mi hija trago, el nino trago, la nina trago, el bebe trago, mi hijo se tomo, mi hija se tomo`,
      emergency: `
        dolor de pecho, dolor en el pecho, dolor en mi pecho, presion en el pecho, opresion en el pecho,
        me duele el pecho, ataque al corazon, ataque cardiaco, infarto, paro cardiaco, derrame cerebral,
        no puedo respirar, no puede respirar, no respira, dificultad para respirar, dificultad al respirar,
        falta de aire, falta de aliento, me falta el aire, me ahogo, se ahoga, asfixia, atragantado,
        atragantada, anafilaxia, reaccion alergica grave, reaccion alergica severa, choque anafilactico,
        se me cierra la garganta, garganta hinchada, lengua hinchada, cara hinchada, ataque de asma,
        convulsiones, inconsciente, desmayado, desmayada, no despierta, sangrado abundante, sangrado grave,
        no para de sangrar, hemorragia, tos con sangre, toser sangre, vomitar sangre, vomito con sangre,
        vomitando sangre, peor dolor de cabeza, coma diabetico, mordedura de serpiente, embolia pulmonar,
        quemadura grave, quemaduras graves, hueso roto`,
      animal: `
        perro, perros, perra, perrito, cachorro, cachorros, gato, gatos, gata, gatito, mascota, mascotas,
        caballo, caballos, yegua, conejo, conejos, veterinario, veterinaria`,
    },
  },
  {
    language: 'fr',
    reviewer: null,
    terms: {
      crisis: `
        suicidaire, suicidaires, me suicider, se suicider, me tuer, envie de mourir, je veux mourir,
        mettre fin a mes jours, mettre fin a ma vie, plus envie de vivre, me faire du mal, automutilation,
        me mutiler`,
      poison: `
        surdose, empoisonnement, empoisonne, empoisonnee, intoxication alimentaire,
        intoxication au, intoxication aux, intoxication par, pris trop de, prise trop de,
        avale trop de, monoxyde de carbone, bu de la javel, avale de la javel, avale une pile, pile bouton,
        enfant a avale, bebe a avale, fils a avale, fille a avale, centre antipoison`,
      emergency: `
        douleur a la poitrine, douleurs a la poitrine, douleur dans la poitrine, douleur thoracique,
        douleurs thoraciques, mal a la poitrine, serrement a la poitrine, crise cardiaque, infarctus,
        arret cardiaque, fait un avc, faire un avc, signes d avc, accident vasculaire cerebral,
        difficulte a respirer, difficultes a respirer, du mal a respirer, peux pas respirer,
        peut pas respirer, arrive pas a respirer, ne respire plus, ne respire pas, essoufflement,
        souffle court, j etouffe, s etouffe, etouffement, anaphylaxie, choc anaphylactique,
        choc allergique, reaction allergique grave, reaction allergique severe, gorge qui gonfle,
        gorge enflee, langue enflee, visage enfle, crise d asthme, inconscient, inconsciente,
        perte de connaissance, perdu connaissance, saignement abondant, saignements abondants,
        saigne beaucoup, arrete pas de saigner, hemorragie, crache du sang, cracher du sang, vomit du sang,
        vomir du sang, pire mal de tete, coma diabetique, morsure de serpent, embolie pulmonaire,
        brulure grave, brulures graves, os casse, noyade`,
      animal: `
        chien, chiens, chienne, chiot, chiots, mon chat, ma chatte, pour chat, pour chats, chats, chaton,
        chatons, cheval, chevaux, lapin, lapins, animal de compagnie, animaux, veterinaire`,
    },
  },
]
