import { isAboutManaging, looksTest } from "./looking.ts";

looksTest("pages for working with objects", (scene) => !isAboutManaging(scene));
