#if Command
  import CopalCommand

  CopalCommand.main()
#else
  import CopalEssentials

  let text = """
    copal: this build has no command. Add the trait to the dependency in Package.swift, as in
    .package(url: "…", from: "…", traits: ["Command"])

    """
  _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  exit(64)
#endif
