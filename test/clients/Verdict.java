import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Reads the score of an identification from History and checks the signature of an event with the JDK alone. The client
 * has its default settings, so over plain HTTP it asks for an upgrade to HTTP/2 with every request.
 *
 * <p>Usage: java Verdict.java HISTORY_URL API_KEY REQUEST_ID SIGNING_SECRET SIGNATURE, with the event on standard input.
 */
public class Verdict {
  private static final Pattern SCORE = Pattern.compile("\"score\":(\\d+)");

  public static void main(String[] args) throws Exception {
    byte[] event = System.in.readAllBytes();
    System.out.println("score " + score(args[0], args[1], args[2]));
    System.out.println("signature " + (isGenuine(event, args[3], args[4]) ? "valid" : "invalid"));
    event[0] ^= 1;
    System.out.println("forgery " + (isGenuine(event, args[3], args[4]) ? "valid" : "invalid"));
  }

  private static String score(String historyUrl, String apiKey, String requestId) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    URI uri = URI.create(historyUrl + "/api/v1/history/request_id/" + requestId + "?limit=1");
    HttpRequest request = HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + apiKey).build();
    for (int attempt = 0; attempt < 20; attempt++) {
      var response = client.send(request, BodyHandlers.ofString());
      if (response.statusCode() != 200) throw new IllegalStateException("status " + response.statusCode());
      var found = SCORE.matcher(response.body());
      if (found.find()) return found.group(1);
      Thread.sleep(250);
    }
    return "unknown";
  }

  private static boolean isGenuine(byte[] event, String secret, String signature) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String expected = "sha256=" + HexFormat.of().formatHex(mac.doFinal(event));
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
  }
}
