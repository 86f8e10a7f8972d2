import { isAboutManaging, looksTest } from "./looking.ts";

looksTest("pages for managing", isAboutManaging);
